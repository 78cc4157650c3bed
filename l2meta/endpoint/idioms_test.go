package endpoint_test

// unsupported lists the workspaces of testdata/idioms whose idioms are not supported yet.
const unsupported = `
held-csharp-extension
held-csharp-nancy
held-csharp-servicestack
held-csharp-webrequest
held-java-vertx
held-javascript-hapi
held-kotlin-fuel
held-kotlin-http4k
held-php-codeigniter
held-php-flight
held-php-wordpress
held-python-bottle
held-python-falcon
held-python-tornado-client
held-python-uplink
held-ruby-excon
held-ruby-hanami
held-ruby-typhoeus
held-rust-isahc
held-rust-salvo
held-rust-tide
held-typescript-nitro
`
