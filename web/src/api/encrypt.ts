import { ask } from "./client.js";
import { EncryptionKeys } from "./encrypt.graphql.js";
import { Fault } from "./fault.js";

const utf8 = new TextEncoder();

/** A password as a compact JWE (RFC 7516) for the server's key, with RSA-OAEP-256 and A256GCM. */
export async function encrypted(password: string): Promise<string> {
  const { encryptionKeys } = await ask(EncryptionKeys, {});
  const key = encryptionKeys.keys[0];
  if (!key) throw new Fault("", { code: "INTERNAL" });
  return await sealed(password, key, key.kid);
}

/** A text as a compact JWE for a key. */
export async function sealed(text: string, key: JsonWebKey, kid: string): Promise<string> {
  const header = base64url(utf8.encode(JSON.stringify({ alg: "RSA-OAEP-256", enc: "A256GCM", kid })));
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const rsa = await crypto.subtle.importKey("jwk", key, { name: "RSA-OAEP", hash: "SHA-256" }, false, ["encrypt"]);
  const aes = await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt"]);
  const how = { name: "AES-GCM", iv, additionalData: utf8.encode(header) };
  const content = new Uint8Array(await crypto.subtle.encrypt(how, aes, utf8.encode(text)));
  const wrapped = new Uint8Array(await crypto.subtle.encrypt("RSA-OAEP", rsa, secret));
  const tag = content.length - 16; // the last 16 bytes are the tag
  return [header, ...[wrapped, iv, content.slice(0, tag), content.slice(tag)].map(base64url)].join(".");
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
