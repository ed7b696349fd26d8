// What the tests of the requests call: holds the status, asks again until members are as they
// should be, and keeps members for later requests.
expect = (pm, save, until, status) => {
  pm.test(`${pm.info.requestName}: ${status}`, () => pm.response.to.have.status(status));
  const json = (pm.response.headers.get('Content-Type') ?? '').includes('json') ? pm.response.json() : {};
  const asked = Number(pm.variables.get('asked') ?? 0);
  const waits = Object.entries(until ?? {}).some(([name, value]) => json[name] !== value);
  if (waits) pm.test(`${pm.info.requestName}: in time`, () => pm.expect(asked).to.be.below(120));
  pm.variables.set('asked', waits ? asked + 1 : 0);
  if (waits && asked < 120 && pm.response.code === status) {
    pm.execution.setNextRequest(pm.info.requestName);
    setTimeout(() => {}, 500);
  }
  const newPassword = pm.collectionVariables.get('newPassword');
  if (newPassword && pm.request.body?.raw?.includes(newPassword)) pm.collectionVariables.set('password', newPassword);
  for (const [name, path] of Object.entries(save ?? {})) {
    const value = path.split('.').reduce((part, key) => part?.[key], json);
    pm.test(`${pm.info.requestName}: ${path}`, () => pm.expect(value).to.be.ok);
    pm.collectionVariables.set(name, value);
  }
};
