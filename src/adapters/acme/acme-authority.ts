import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

import {
  AuthorityError,
  type CertificateAuthority,
  type CertificateOrder,
} from '../../ports/domains/certificate-authority.ts'
import type { CertificateStore, StoredCertificate } from '../../ports/domains/certificate-store.ts'
import { AcmeAccount } from './acme-account.ts'
import { detailOf, refusal, unreachable } from './acme-problem.ts'
import {
  authorizationIn,
  chainIn,
  type Directory,
  directoryIn,
  locationOf,
  type Order,
  orderIn,
  renewalWindowIn,
} from './acme-resources.ts'
import { type AcmeTransport, createTransport } from './acme-transport.ts'
import { certificateId } from './certificate-id.ts'
import { createCertificateRequest } from './certificate-request.ts'

interface Options {
  readonly directoryUrl: string
  /** Where the authority writes to. */
  readonly email: string | undefined
  readonly trusted: string | undefined
  readonly keys: Pick<CertificateStore, 'accountKey' | 'keepAccountKey'>
  readonly now: () => Date
}

/** An order, and where it is looked at. */
interface OpenedOrder extends Order {
  readonly url: string
}

const firstWaitMs = 250
const maxWaitMs = 2_000
const maxPolls = 60

/** An authority that speaks ACME (RFC 8555), by way of challenges over HTTP. */
export class AcmeAuthority implements CertificateAuthority, Disposable {
  readonly #options: Options
  readonly #closing = new AbortController()
  readonly #transport: AcmeTransport
  #account: Promise<AcmeAccount> | undefined

  constructor(options: Options) {
    this.#options = options
    const { trusted, now } = options
    this.#transport = createTransport({ trusted, closing: this.#closing.signal, now })
  }

  async issue(order: CertificateOrder): Promise<StoredCertificate> {
    return await this.#asAccount(async () => {
      const { hostname } = order
      const account = await this.#openAccount()
      const opened = await this.#order(account, order)
      for (const url of opened.authorizations) await this.#prove(account, url, order)
      const { der, keyPem: key } = createCertificateRequest(hostname)
      const finalized = await this.#settled(
        async () => orderIn(await account.post(opened.url)),
        orderIn(await account.post(opened.finalize, { csr: der.toString('base64url') })),
      )
      const { status, certificate } = finalized
      if (status !== 'valid' || certificate === undefined)
        throw refusal(detailOf(finalized) || 'the order is invalid')
      const chain = chainIn(await account.post(certificate))
      return { hostname, chain, key, ...validityOf(chain) }
    })
  }

  async revoke({ chain, validUntil }: StoredCertificate): Promise<void> {
    if (validUntil <= this.#options.now()) return
    await this.#asAccount(async () => {
      const account = await this.#openAccount()
      const { raw } = new X509Certificate(chain)
      await account.post(account.directory.revokeCert, { certificate: raw.toString('base64url') })
    })
  }

  async renewalWindow({ chain }: StoredCertificate) {
    return await translated(async () => {
      const { renewalInfo } = await this.#directory()
      const id = certificateId(chain)
      if (renewalInfo === undefined || id === undefined) return undefined
      return renewalWindowIn(await this.#transport(`${renewalInfo.replace(/\/$/u, '')}/${id}`))
    })
  }

  [Symbol.dispose](): void {
    this.#closing.abort(new Error('the service ends'))
  }

  /** Whatever is refused is asked with a newly registered account the next time: it may be unknown. */
  async #asAccount<T>(task: () => Promise<T>): Promise<T> {
    return await translated(async () => {
      try {
        return await task()
      } catch (error) {
        if (error instanceof AuthorityError && error.fault === 'refused') this.#account = undefined
        throw error
      }
    })
  }

  async #directory(): Promise<Directory> {
    return directoryIn(await this.#transport(this.#options.directoryUrl))
  }

  /** Opened once, and again where that failed. */
  async #openAccount(): Promise<AcmeAccount> {
    this.#account ??= this.#register()
    try {
      return await this.#account
    } catch (error) {
      this.#account = undefined
      throw error
    }
  }

  async #register(): Promise<AcmeAccount> {
    const { keys, email } = this.#options
    const kept = await keys.accountKey()
    const keyPem = kept ?? newAccountKey()
    // Before it is used: an account whose key is lost could not revoke what it ordered.
    if (kept === undefined) await keys.keepAccountKey(keyPem)
    const directory = await this.#directory()
    return await AcmeAccount.register({ transport: this.#transport, directory, keyPem, email })
  }

  /** An authority may not know the former certificate, e.g. because it is another's: then without it. */
  async #order(
    account: AcmeAccount,
    { hostname, replaces }: CertificateOrder,
  ): Promise<OpenedOrder> {
    const open = async (wanted: Readonly<Record<string, unknown>>): Promise<OpenedOrder> => {
      const answer = await account.post(account.directory.newOrder, wanted)
      return { ...orderIn(answer), url: locationOf(answer) }
    }
    const wanted = { identifiers: [{ type: 'dns', value: hostname }] }
    const { renewalInfo } = account.directory
    const former = replaces && renewalInfo !== undefined ? certificateId(replaces.chain) : undefined
    if (former === undefined) return await open(wanted)
    try {
      return await open({ ...wanted, replaces: former })
    } catch (error) {
      if (!(error instanceof AuthorityError && error.fault === 'refused')) throw error
      return await open(wanted)
    }
  }

  async #prove(account: AcmeAccount, url: string, wanted: CertificateOrder): Promise<void> {
    const look = async () => authorizationIn(await account.post(url))
    const authorization = await look()
    if (authorization.status === 'valid') return
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
    if (challenge?.token === undefined) throw refusal('it offers no challenge over HTTP')
    using _shown = wanted.publish(challenge.token, account.keyAuthorization(challenge.token))
    await account.post(challenge.url, {})
    const proved = await this.#settled(look, await look())
    if (proved.status === 'valid') return
    const reason = proved.challenges.map(detailOf).find((detail) => detail !== '')
    throw refusal(reason ?? 'the challenge failed')
  }

  /** Looks again until the state is a final one. */
  async #settled<T extends { readonly status: string }>(
    look: () => Promise<T>,
    first: T,
  ): Promise<T> {
    let current = first
    for (let polls = 0; polls < maxPolls; polls += 1) {
      if (!['pending', 'processing', 'ready'].includes(current.status)) return current
      const waitMs = Math.min(firstWaitMs * 2 ** polls, maxWaitMs)
      await wait(waitMs, undefined, { signal: this.#closing.signal })
      current = await look()
    }
    throw new AuthorityError('unavailable', 'The certificate authority does not come to an end')
  }
}

/** What is no fault of the authority's is one of understanding it. */
async function translated<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw error instanceof AuthorityError ? error : unreachable(error)
  }
}

const newAccountKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  })

function validityOf(chain: string): { readonly validFrom: Date; readonly validUntil: Date } {
  const { validFromDate, validToDate } = new X509Certificate(chain)
  return { validFrom: validFromDate, validUntil: validToDate }
}
