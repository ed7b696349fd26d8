// Reads the newest one-time code out of the log, where a demo writes it: before a request that
// sends one, to know it again, and before a request that needs one, until there is another.
const log = pm.variables.get('log');
const body = pm.request.body?.raw ?? '';
const read = (then) => pm.sendRequest(log, (error, answer) =>
  then(error ? undefined : [...answer.text().matchAll(/text="(\d{6}) /g)].pop()?.[1]));
const wait = (times) => read((code) => {
  if (code && code !== pm.collectionVariables.get('lastCode')) pm.collectionVariables.set('otp', code);
  else if (times > 0) setTimeout(() => wait(times - 1), 250);
});
if (log && body.includes('{{username}}')) read((code) => pm.collectionVariables.set('lastCode', code));
if (log && body.includes('{{otp}}')) wait(60);
if (body.includes('{{newPassword}}')) pm.collectionVariables.set('newPassword', `new-demo-${Date.now()}`);
