terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.0" }
  }
}

# Where it runs.
variable "region" {
  type        = string
  default     = "eu-central-1"
  description = "Größe"
}

locals {
  name = "shop-${var.region}"
  # Everything bears these.
  tags = {
    app = "shop"
  }
}

provider "aws" {
  region = var.region
}

data "aws_ami" "ubuntu" {
  most_recent = true
  filter {
    name   = "name"
    values = ["ubuntu/*"]
  }
}

/* The web server. */
resource "aws_instance" "web" {
  count         = var.enabled ? 2 : 0
  ami           = data.aws_ami.ubuntu.id
  instance_type = lookup(local.types, terraform.workspace, "t3.micro")
  user_data     = <<-EOT
    #!/bin/sh
    resource "not" "this" {}
  EOT

  dynamic "ebs_block_device" {
    for_each = var.disks
    content {
      device_name = ebs_block_device.value["name"]
    }
  }
  lifecycle { create_before_destroy = true }
}

module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.1.0"
  cidr    = cidrsubnet("10.0.0.0/8", 8, 1)
}

output "ip" {
  value = aws_instance.web[*].public_ip
}

moved {
  from = aws_instance.a
  to   = aws_instance.b
}
