import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'

const base64url = (value: object | Buffer): string =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url')

export interface ProviderScript {
  /** In place of, or beside, the claims of an honest ID token. */
  claims: Readonly<Record<string, unknown>>
  userinfo: Readonly<Record<string, unknown>> | undefined
  alg: 'RS256' | 'none'
  /** Beside what the code brings back. */
  callback: Readonly<Record<string, string>>
  metadata: Readonly<Record<string, unknown>>
  /** Answers of the token endpoint. */
  tokenStatus: number
  tokenPadding: number
  isSilent: boolean
  /** Signs with a key that the key set does not have. */
  signsWithForeignKey: boolean
}

export interface ScriptedProvider extends AsyncDisposable {
  readonly issuer: string
  script: ProviderScript
  /** As the provider is to be at first. */
  reset(): void
  /** Forgets its keys and has others. */
  rotateKeys(): void
}

interface Issued {
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
}

const honest: ProviderScript = {
  claims: {},
  userinfo: undefined,
  alg: 'RS256',
  callback: {},
  metadata: {},
  tokenStatus: 200,
  tokenPadding: 0,
  isSilent: false,
  signsWithForeignKey: false,
}

/** An OpenID Connect provider that lets everybody in at once, and lies where its script says so. */
export function openScriptedProvider(port = 0): ScriptedProvider {
  let key = newKey()
  const issuedByCode = new Map<string, Issued>()
  const provider = { script: honest }
  const handlers: Readonly<Record<string, (request: Request) => Promise<Response> | Response>> = {
    '/.well-known/openid-configuration': () => Response.json(metadata()),
    '/jwks': () => Response.json({ keys: [key.jwk] }),
    '/authorize': authorize,
    '/token': token,
    '/userinfo': () => Response.json(provider.script.userinfo ?? {}),
  }
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (provider.script.isSilent) await Bun.sleep(20_000)
      const { pathname } = new URL(request.url)
      return (await handlers[pathname]?.(request)) ?? new Response('', { status: 404 })
    },
  })
  const issuer = `http://127.0.0.1:${server.port}`

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/end`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'none'],
    authorization_response_iss_parameter_supported: true,
    ...provider.script.metadata,
  })

  function authorize(request: Request): Response {
    const asked = new URL(request.url).searchParams
    const code = randomUUID()
    const redirectUri = asked.get('redirect_uri') ?? ''
    issuedByCode.set(code, {
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      redirectUri,
    })
    const back = new URL(redirectUri)
    const answer = {
      code,
      state: asked.get('state') ?? '',
      iss: issuer,
      ...provider.script.callback,
    }
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value)
    return Response.redirect(back.href, 303)
  }

  async function token(request: Request): Promise<Response> {
    const { script } = provider
    const form = new URLSearchParams(await request.text())
    const issued = issuedByCode.get(form.get('code') ?? '')
    issuedByCode.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (script.tokenStatus !== 200) return new Response('', { status: script.tokenStatus })
    if (issued?.challenge !== challenge || issued.redirectUri !== form.get('redirect_uri'))
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    return Response.json({
      access_token: 'an-access-token',
      token_type: 'Bearer',
      expires_in: 60,
      id_token: idToken(issued.nonce),
      ...(script.tokenPadding > 0 && { padding: 'x'.repeat(script.tokenPadding) }),
    })
  }

  function idToken(nonce: string): string {
    const { alg, claims, signsWithForeignKey } = provider.script
    const now = Math.floor(Date.now() / 1000)
    const all = {
      iss: issuer,
      sub: 'ana',
      aud: 'sedge',
      nonce,
      iat: now,
      exp: now + 300,
      email: 'ana@example.com',
      email_verified: true,
      name: 'Ana Ruiz',
      groups: [],
      ...claims,
    }
    const head = { alg, typ: 'JWT', ...(alg !== 'none' && { kid: key.jwk.kid }) }
    const text = `${base64url(head)}.${base64url(all)}`
    if (alg === 'none') return `${text}.`
    const { privateKey } = signsWithForeignKey ? newKey() : key
    return `${text}.${base64url(createSign('sha256').update(text).sign(privateKey))}`
  }

  return Object.assign(provider, {
    issuer,
    reset: () => void (provider.script = honest),
    rotateKeys: () => void (key = newKey()),
    [Symbol.asyncDispose]: () => server.stop(true),
  })
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = {
    ...publicKey.export({ format: 'jwk' }),
    kid: randomUUID(),
    use: 'sig',
    alg: 'RS256',
  }
  return { privateKey, jwk }
}
