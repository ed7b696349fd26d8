import { expect, test } from "vitest";
import { sealed } from "../src/api/encrypt.js";

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"));

test("a sealed password opens with the private key, and its header is bound to it", async () => {
  const how = { name: "RSA-OAEP", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" };
  const pair = await crypto.subtle.generateKey(how, true, ["encrypt", "decrypt"]);
  const jwe = await sealed("sandi-✓", await crypto.subtle.exportKey("jwk", pair.publicKey), "k1");
  const [header = "", secret = "", iv = "", content = "", tag = ""] = jwe.split(".");
  expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({
    alg: "RSA-OAEP-256",
    enc: "A256GCM",
    kid: "k1",
  });
  const raw = await crypto.subtle.decrypt("RSA-OAEP", pair.privateKey, bytes(secret));
  const aes = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
  const all = new Uint8Array([...bytes(content), ...bytes(tag)]);
  const open = { name: "AES-GCM", iv: bytes(iv), additionalData: new TextEncoder().encode(header) };
  expect(new TextDecoder().decode(await crypto.subtle.decrypt(open, aes, all))).toBe("sandi-✓");
  await expect(crypto.subtle.decrypt({ ...open, additionalData: new Uint8Array([1]) }, aes, all)).rejects.toBeDefined();
});
