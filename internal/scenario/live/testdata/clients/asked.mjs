// The parts that both clients share.

/** A fetch that notes of each request its method, and whether it has the text of the operation, the hash, or both. */
export function noting(notes) {
  return async (url, options) => {
    const method = options.method ?? 'GET';
    const members = method === 'GET' ? Object.fromEntries(new URL(url).searchParams) : JSON.parse(options.body);
    const parts = [members.query && 'text', JSON.stringify(members.extensions ?? '').includes('sha256Hash') && 'hash'];
    notes.push([method, ...parts.filter(Boolean)].join(' '));
    return fetch(url, options);
  };
}

/** Prints what somebody did: the requests that it took, and the answer. */
export function say(name, notes, answer) {
  console.log(`${name}: ${notes.splice(0).join(', ')}: ${JSON.stringify(answer)}`);
}
