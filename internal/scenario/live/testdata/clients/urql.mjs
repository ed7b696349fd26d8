// Asks as urql does with its exchange of persisted operations: node urql.mjs URL TOKEN. It prints a line for each
// thing that it does.
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { createClient as createSSE } from 'graphql-sse';
import { createClient as createWS } from 'graphql-ws';
import WebSocket from 'ws';
import { noting, say } from './asked.mjs';

const [url, token] = process.argv.slice(2);
const notes = [];
const headers = { Authorization: `Bearer ${token}` };

/** A client that knows nothing of the server yet. */
function client(options = {}, more = []) {
  return new Client({
    url,
    fetch: noting(notes),
    fetchOptions: { headers },
    preferGetMethod: options.preferGetForPersistedQueries ? 'within-url-limit' : false,
    exchanges: [persistedExchange(options), ...more, fetchExchange],
  });
}

const query = 'query UrqlViewer { viewer { email } }';
async function read(of) {
  const { data, error } = await of.query(query, {}, { requestPolicy: 'network-only' }).toPromise();
  return data?.viewer.email ?? error.message;
}

const first = client();
say('first', notes, await read(first));
say('again', notes, await read(first));
say('another client', notes, await read(client()));
say('by GET', notes, await read(client({ preferGetForPersistedQueries: true })));
const mutation = 'mutation UrqlName { updateViewer(input: { locale: "en" }) { locale } }';
const writing = client({ enableForMutation: true });
say('a write', notes, (await writing.mutation(mutation, {}).toPromise()).data.updateViewer.locale);
say('the write again', notes, (await writing.mutation(mutation, {}).toPromise()).data.updateViewer.locale);

const ws = createWS({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, connectionParams: headers });
const sse = createSSE({ url: `${url}/stream`, headers });
const over = { WebSocket: ws, SSE: sse };
const subscription = 'subscription UrqlNews { attendanceChanged { id } }';
for (const [name, transport] of Object.entries(over)) {
  const exchange = subscriptionExchange({
    enableAllOperations: false,
    forwardSubscription: (request) => {
      const asked = { ...request, query: request.query ?? '' };
      return { subscribe: (sink) => ({ unsubscribe: transport.subscribe(asked, sink) }) };
    },
  });
  const live = client({ enableForSubscriptions: true }, [exchange]);
  const news = live.subscription(subscription, {}).subscribe(({ data, error }) => {
    console.log(`news over ${name}: ${JSON.stringify(error?.message ?? typeof data.attendanceChanged.id)}`);
    news.unsubscribe();
    void transport.dispose();
  });
}
await new Promise((done) => setTimeout(done, 1000)); // the socket does not tell when it has subscribed
console.log('subscribed');
