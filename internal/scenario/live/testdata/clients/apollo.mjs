// Asks as Apollo Client does with its link of persisted queries: node apollo.mjs URL TOKEN. It prints a line for
// each thing that it does.
import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { noting, say } from './asked.mjs';

const [url, token] = process.argv.slice(2);
const notes = [];
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** A client that knows nothing of the server yet. */
function client(options = {}) {
  const named = new PersistedQueryLink({ sha256, ...options });
  const http = new HttpLink({ uri: url, fetch: noting(notes), headers: { Authorization: `Bearer ${token}` } });
  return new ApolloClient({ link: ApolloLink.from([named, http]), cache: new InMemoryCache() });
}

const query = gql`query ApolloViewer { viewer { email } }`;
const read = async (of) => (await of.query({ query, fetchPolicy: 'network-only' })).data.viewer.email;

const first = client();
say('first', notes, await read(first));
say('again', notes, await read(first));
say('another client', notes, await read(client()));
say('by GET', notes, await read(client({ useGETForHashedQueries: true })));
const mutation = gql`mutation ApolloName { updateViewer(input: { locale: "en" }) { locale } }`;
say('a write', notes, (await first.mutate({ mutation })).data.updateViewer.locale);
say('the write again', notes, (await client().mutate({ mutation })).data.updateViewer.locale);

const socket = createClient({
  url: url.replace('http', 'ws'),
  webSocketImpl: WebSocket,
  connectionParams: { Authorization: `Bearer ${token}` },
});
const named = new PersistedQueryLink({ sha256 });
const live = new ApolloClient({ link: ApolloLink.from([named, new GraphQLWsLink(socket)]), cache: new InMemoryCache() });
const subscription = gql`subscription ApolloNews { attendanceChanged { id } }`;
const news = live.subscribe({ query: subscription }).subscribe({
  next: ({ data }) => {
    say('news', notes, typeof data.attendanceChanged.id);
    news.unsubscribe();
    socket.dispose();
  },
  error: (error) => say('refused', notes, error.message),
});
await new Promise((done) => setTimeout(done, 1000)); // the socket does not tell when it has subscribed
console.log('subscribed');
