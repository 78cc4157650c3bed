package endpoint_test

// unsupported are the idioms of testdata/idioms that are not read yet.
const unsupported = `
held-javascript-hapi
held-php-codeigniter
held-php-flight
held-php-psr18
held-php-wordpress
held-python-bottle
held-python-falcon
held-python-tornado-client
held-python-uplink
held-ruby-excon
held-ruby-hanami
held-ruby-typhoeus
held-typescript-nitro
php-curl
php-guzzle
php-laravel
php-laravel-http
php-lumen
php-slim
php-streams
php-symfony
php-symfony-http
`
