<?php
$repository = new Repository();

Route::get('/orders/{id}', function (string $id) use ($repository) {
    return $repository->find($id);
});
Route::middleware('auth')->post('orders', fn () => store());
$app->group('/api', function ($group) {
    $group->map(['PUT', 'PATCH'], '/orders/{id}', function ($request) {
        return replace($request);
    });
});
$cache->get('/key', function () {
    return compute();
});
