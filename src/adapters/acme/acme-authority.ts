import { X509Certificate } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

import { axios, Client, crypto, type Order } from 'acme-client'

import {
  AuthorityError,
  type CertificateAuthority,
  type CertificateOrder,
} from '../../ports/domains/certificate-authority.ts'
import type { CertificateStore, StoredCertificate } from '../../ports/domains/certificate-store.ts'
import { detailOf, refusal, unreachable } from './acme-problem.ts'
import { createTransport } from './acme-transport.ts'
import { certificateId } from './certificate-id.ts'

interface Options {
  readonly directoryUrl: string
  /** Where the authority writes to. */
  readonly email: string | undefined
  readonly trusted: string | undefined
  readonly keys: Pick<CertificateStore, 'accountKey' | 'keepAccountKey'>
  readonly now: () => Date
}

interface Directory {
  readonly renewalInfo?: string
}

const firstWaitMs = 250
const maxWaitMs = 2_000
const maxPolls = 60

/** An authority that speaks ACME (RFC 8555), by way of challenges over HTTP. */
export class AcmeAuthority implements CertificateAuthority, Disposable {
  readonly #options: Options
  readonly #closing = new AbortController()
  #client: Promise<Client> | undefined

  constructor(options: Options) {
    this.#options = options
    const { trusted, now } = options
    // The client has one transport for the whole process.
    axios.defaults.adapter = createTransport({ trusted, closing: this.#closing.signal, now })
  }

  async issue(order: CertificateOrder): Promise<StoredCertificate> {
    return await this.#asAccount(async () => {
      const { hostname } = order
      const client = await this.#openClient()
      const opened = await this.#order(client, order)
      await this.#prove(client, opened, order)
      const keyPem = await crypto.createPrivateEcdsaKey()
      // Without a common name: it holds 64 characters, a host name 253.
      const [, csr] = await crypto.createCsr({ altNames: [hostname] }, keyPem)
      const finalized = await this.#settled(
        () => client.getOrder(opened),
        await client.finalizeOrder(opened, csr),
      )
      if (finalized.status !== 'valid') throw refusal(detailOf(finalized) || 'the order is invalid')
      const chain = await client.getCertificate(finalized)
      return { hostname, chain, key: keyPem.toString(), ...validityOf(chain) }
    })
  }

  async revoke({ chain, validUntil }: StoredCertificate): Promise<void> {
    if (validUntil <= this.#options.now()) return
    await this.#asAccount(async () => {
      const client = await this.#openClient()
      await client.revokeCertificate(chain)
    })
  }

  async renewalWindow({ chain }: StoredCertificate) {
    return await translated(async () => {
      const { renewalInfo } = await this.#directory()
      const id = certificateId(chain)
      if (renewalInfo === undefined || id === undefined) return undefined
      const { data } = await axios.get<unknown>(`${renewalInfo.replace(/\/$/u, '')}/${id}`)
      return windowIn(data)
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
        if (error instanceof AuthorityError && error.fault === 'refused') this.#client = undefined
        throw error
      }
    })
  }

  async #directory(): Promise<Directory> {
    return (await axios.get<Directory>(this.#options.directoryUrl)).data
  }

  /** With its account; made once, and again where that failed. */
  async #openClient(): Promise<Client> {
    this.#client ??= this.#register()
    try {
      return await this.#client
    } catch (error) {
      this.#client = undefined
      throw error
    }
  }

  async #register(): Promise<Client> {
    const { keys, directoryUrl, email } = this.#options
    const kept = await keys.accountKey()
    const accountKey = kept ?? (await crypto.createPrivateEcdsaKey()).toString()
    // Before it is used: an account whose key is lost could not revoke what it ordered.
    if (kept === undefined) await keys.keepAccountKey(accountKey)
    const client = new Client({ directoryUrl, accountKey })
    await client.createAccount({
      termsOfServiceAgreed: true,
      ...(email !== undefined && { contact: [`mailto:${email}`] }),
    })
    return client
  }

  /** An authority may not know the former certificate, e.g. because it is another's: then without it. */
  async #order(client: Client, { hostname, replaces }: CertificateOrder): Promise<Order> {
    const wanted = { identifiers: [{ type: 'dns', value: hostname }] }
    const { renewalInfo } = await this.#directory()
    const former = replaces && renewalInfo !== undefined ? certificateId(replaces.chain) : undefined
    if (former === undefined) return await client.createOrder(wanted)
    // The client's types are older than RFC 9773.
    const replacing: typeof wanted = Object.assign({ replaces: former }, wanted)
    try {
      return await client.createOrder(replacing)
    } catch (error) {
      if (!(error instanceof AuthorityError && error.fault === 'refused')) throw error
      return await client.createOrder(wanted)
    }
  }

  async #prove(client: Client, order: Order, wanted: CertificateOrder): Promise<void> {
    for (const authorization of await client.getAuthorizations(order)) {
      if (authorization.status === 'valid') continue
      const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
      if (challenge === undefined) throw refusal('it offers no challenge over HTTP')
      const answer = await client.getChallengeKeyAuthorization(challenge)
      using _shown = wanted.publish(challenge.token, answer)
      await client.completeChallenge(challenge)
      const look = async () => {
        const all = await client.getAuthorizations(order)
        return all.find(({ url }) => url === authorization.url) ?? authorization
      }
      const proved = await this.#settled(look, await look())
      if (proved.status === 'valid') continue
      const reason = proved.challenges.map(detailOf).find((detail) => detail !== '')
      throw refusal(reason ?? 'the challenge failed')
    }
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

function validityOf(chain: string): { readonly validFrom: Date; readonly validUntil: Date } {
  const { validFromDate, validToDate } = new X509Certificate(chain)
  return { validFrom: validFromDate, validUntil: validToDate }
}

function windowIn(data: unknown): { readonly start: Date; readonly end: Date } | undefined {
  const { suggestedWindow } = data as {
    readonly suggestedWindow?: { readonly start?: string; readonly end?: string }
  }
  const [start, end] = [suggestedWindow?.start, suggestedWindow?.end].map(
    (text) => new Date(text ?? ''),
  )
  const isWindow =
    start !== undefined && end !== undefined && !Number.isNaN(+start) && !Number.isNaN(+end)
  return isWindow ? { start, end } : undefined
}
