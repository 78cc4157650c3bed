-- Shop schema.
\connect shop
SET search_path = shop, public;
CREATE SCHEMA IF NOT EXISTS shop;
CREATE EXTENSION IF NOT EXISTS "uuid-ossp";

-- What a customer may be.
CREATE TYPE shop.role AS ENUM ('admin', 'it''s user');
CREATE TYPE point3 AS (x double precision, y double precision, z numeric(10, 2));
CREATE DOMAIN email AS text CHECK (VALUE ~ '@');

/* Customers,
   one row each. */
CREATE TABLE shop.customers (
    id uuid PRIMARY KEY DEFAULT uuid_generate_v4(),
    -- Lower case.
    email email NOT NULL UNIQUE,
    "full name" character varying(200) COLLATE "de_DE",
    tags text[] DEFAULT '{}',
    balance numeric(10, 2) NOT NULL DEFAULT 0.00, -- in euro
    key text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT positive CHECK (balance >= 0),
    EXCLUDE USING gist (email WITH =)
) PARTITION BY RANGE (created_at);

CREATE TABLE IF NOT EXISTS orders (
    id bigserial,
    customer uuid REFERENCES shop.customers (id) ON DELETE CASCADE,
    total integer GENERATED ALWAYS AS (price * 2) STORED,
    PRIMARY KEY (id),
    FOREIGN KEY (customer) REFERENCES shop.customers (id)
);
CREATE UNIQUE INDEX CONCURRENTLY orders_customer ON orders USING btree (customer);
COMMENT ON TABLE orders IS 'Every order.';
COMMENT ON COLUMN orders.total IS 'In cents.';
ALTER TABLE ONLY orders ADD COLUMN IF NOT EXISTS note text, ADD CONSTRAINT n CHECK (note <> '');

CREATE OR REPLACE VIEW shop.open_orders AS
    SELECT o.id, c.email FROM orders o JOIN shop.customers c ON c.id = o.customer;
CREATE MATERIALIZED VIEW totals (day, total) AS SELECT now(), sum(total) FROM orders WITH NO DATA;

-- Adds an order.
CREATE OR REPLACE FUNCTION shop.add_order(IN who uuid, amount numeric DEFAULT 1.5, VARIADIC rest text[])
RETURNS TABLE (id bigint, total numeric)
LANGUAGE plpgsql SECURITY DEFINER AS $body$
DECLARE
    n integer := 0;
BEGIN
    -- CREATE TABLE hidden (a int);
    INSERT INTO orders (customer) VALUES (who);
    RETURN QUERY SELECT 1, 2;
END;
$body$;
CREATE FUNCTION add(integer, integer) RETURNS integer AS 'select $1 + $2;' LANGUAGE sql IMMUTABLE;
CREATE TRIGGER touch BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION shop.touch_row('a', 2);
CREATE POLICY own ON orders USING (customer = current_user_id());
COPY orders (id) FROM stdin;
1	CREATE TABLE not_one (a int);
\.
CREATE SEQUENCE after_copy START 1;
INSERT INTO notes VALUES ('C:\', 'it''s; CREATE TABLE no (a int)');

DELIMITER //
CREATE DEFINER=`root`@`%` PROCEDURE `pay`(IN `p_id` INT, OUT done TINYINT(1))
BEGIN
  IF p_id > 0 THEN
    UPDATE orders SET note = 'it\'s' WHERE id = p_id;
  END IF;
END //
DELIMITER ;
CREATE TABLE `items` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT COMMENT 'a, (b',
  `kind` enum('a','b') DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `by_kind` (`kind`(10)),
  CONSTRAINT `fk` FOREIGN KEY (`id`) REFERENCES `orders` (`id`)
) ENGINE=InnoDB;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`a`@`b` SQL SECURITY DEFINER */
/*!50001 VIEW `v_items` AS select 1 AS `x` */;

CREATE TRIGGER audit AFTER INSERT ON items BEGIN
  INSERT INTO log VALUES (CASE WHEN 1 THEN 2 ELSE 3 END);
  DELETE FROM log WHERE id < 10;
END;
CREATE TABLE [dbo].[Größe Tabelle] ([Id] INT IDENTITY(1,1) NOT NULL, [Name] NVARCHAR(MAX) NULL)
GO
CREATE PROC dbo.Report @from date, @to date = '2020-01-01' AS
SELECT * FROM t WHERE a[1] = 2;
SELECT 2;
GO
CREATE OR REPLACE PACKAGE BODY pkg IS
  n NUMBER;
  PROCEDURE p IS BEGIN NULL; END;
END pkg;
/
CREATE OR REPLACE FUNCTION hr.salary(p_id IN NUMBER) RETURN NUMBER IS
  v NUMBER;
BEGIN
  SELECT x INTO v FROM t;
  RETURN v;
END;
/
CREATE TABLE last_one AS SELECT 1 AS a;
