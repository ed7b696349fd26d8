const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicyFactory };

/** The one policy by which an address becomes code: that of the app's own scripts, and no other. */
const policy = trustedTypes?.createPolicy("workforce", { createScriptURL: own });

function own(address: string): string {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin || !/^\/app\/[\w-]+\.js$/.test(url.pathname))
    throw new TypeError(`${address} is no script of the app`);
  return url.href;
}

/** The address of a script of the app, as new Worker and serviceWorker.register take it. Throws TypeError for any other. */
export function scriptAddress(address: string): string {
  return (policy?.createScriptURL(address) ?? own(address)) as string;
}
