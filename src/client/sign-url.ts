import type { SignedUrl } from './types.ts'

const encoder = new TextEncoder()

/** A URL of `/api/signed` that anybody may fetch until `expiresAt`. Asks nobody: the secret is enough. */
export async function signUrl({ url, path, expiresAt, secret }: SignedUrl): Promise<string> {
  const expires = String(Math.floor(expiresAt.getTime() / 1000))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ])
  const text = encoder.encode(`${path}:${expires}`)
  const signature = new Uint8Array(await crypto.subtle.sign(algorithm.name, key, text))
  const sig = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const query = new URLSearchParams({ path, expires, sig })
  return `${url.replace(/(?<!\/)\/+$/u, '')}/api/signed?${query.toString()}`
}
