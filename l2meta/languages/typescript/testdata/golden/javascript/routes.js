const express = require('express');
const app = express();
const shelf = new Hono();

app.get('/safe/:id', auth, (req, res) => look(req));
app.post('/danger', async function (req, res) {
  wipe();
});
app.route('/books/:id(\\d+)').get((req, res) => show(req)).delete(auth, (req, res) => drop(req));
app.get('/named', function named(req, res) { look(); });
app.route({ method: 'PUT', url: '/whole', handler: async (request) => { save(request); } });
shelf.get('/', (c) => c.text(look()));
app.use('/static', (req, res, next) => next());
cache.get('/key', () => compute());
axios.get('/users', (reply) => reply);
app.get('setting', () => 1);
