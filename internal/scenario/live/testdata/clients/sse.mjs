// Subscribes with graphql-sse: node sse.mjs URL TOKEN QUERY COUNT. It prints each answer
// on a line, and at the end done or failed.
import { createClient } from 'graphql-sse';

const [url, token, query, count] = process.argv.slice(2);
const client = createClient({
  url,
  headers: { Authorization: `Bearer ${token}` },
  retryAttempts: 0,
  on: { connected: () => console.log('connected') },
});
let left = Number(count);
try {
  for await (const answer of client.iterate({ query })) {
    console.log(JSON.stringify(answer));
    if (--left === 0) break;
  }
  console.log('done');
} catch (err) {
  console.log(`failed ${err.response?.status ?? err.message}`);
}
client.dispose();
