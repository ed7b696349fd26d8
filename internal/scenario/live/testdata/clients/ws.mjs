// Subscribes with graphql-ws: node ws.mjs URL TOKEN QUERY COUNT. It prints each answer on
// a line, and at the end done, or closed with the code and the reason.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [url, token, query, count] = process.argv.slice(2);
const client = createClient({
  url,
  webSocketImpl: WebSocket,
  connectionParams: { Authorization: `Bearer ${token}` },
  retryAttempts: 0,
  lazy: false,
  on: {
    connected: () => console.log('connected'),
    closed: (event) => console.log(`closed ${event.code} ${event.reason}`),
    error: () => {},
  },
  onNonLazyError: () => {},
});
let left = Number(count);
try {
  for await (const answer of client.iterate({ query })) {
    console.log(JSON.stringify(answer));
    if (--left === 0) break;
  }
  console.log('done');
} catch (err) {
  console.log(Array.isArray(err) ? `refused ${JSON.stringify(err)}` : `failed ${err.code ?? err.message}`);
}
await client.dispose();
