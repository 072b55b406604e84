import type { TextSealer } from '../../../lib/secrets/text-sealer.ts'
import type {
  CertificateStore,
  StoredCertificate,
} from '../../../ports/domains/certificate-store.ts'
import type { Database } from '../database.ts'
import type { CertificateTable } from '../schema.ts'

interface Options {
  readonly database: Database
  /** Encrypts keys, under a secret that all nodes share. */
  readonly sealer: TextSealer
  /** Told of what cannot be used: a host name, or the account. */
  readonly onUnreadable: (place: string, why: string) => void
}

const accountPlace = 'account'
const accountId = 1

/** Certificates in a table, for every node that has the database and the secret. */
export class SqlCertificateStore implements CertificateStore {
  readonly #options: Options

  private constructor(options: Options) {
    this.#options = options
  }

  /** Keys that a former secret sealed are sealed anew. */
  static async open(options: Options): Promise<SqlCertificateStore> {
    const store = new SqlCertificateStore(options)
    await store.#reseal()
    return store
  }

  /** For a node that does not write: nothing is sealed anew. */
  static reader(options: Options): Pick<SqlCertificateStore, 'list' | 'find'> {
    return new SqlCertificateStore(options)
  }

  async find(hostname: string): Promise<StoredCertificate | undefined> {
    const row = await this.#options.database.queries
      .selectFrom('certificates')
      .selectAll()
      .where('hostname', '=', hostname)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const key = this.#open(row.sealed_key, hostname)
    return key === undefined ? undefined : certificateOf(row, key)
  }

  async put(certificate: StoredCertificate): Promise<void> {
    const row = this.#rowOf(certificate)
    await this.#options.database.transaction(async (transaction) => {
      await transaction
        .insertInto('certificates')
        .values(row)
        .onConflict((conflict) => conflict.column('hostname').doUpdateSet(row))
        .execute()
    })
  }

  async remove(hostname: string): Promise<void> {
    await this.#options.database.transaction(async (transaction) => {
      await transaction.deleteFrom('certificates').where('hostname', '=', hostname).execute()
    })
  }

  async list(): Promise<readonly StoredCertificate[]> {
    return (await this.#rows()).flatMap((row) => {
      const key = this.#open(row.sealed_key, row.hostname)
      return key === undefined ? [] : [certificateOf(row, key)]
    })
  }

  async accountKey(): Promise<string | undefined> {
    const row = await this.#accountRow()
    return row && this.#open(row.sealed_key, accountPlace)
  }

  async keepAccountKey(key: string): Promise<void> {
    const row = { id: accountId, sealed_key: this.#options.sealer.seal(key, accountPlace) }
    await this.#options.database.transaction(async (transaction) => {
      await transaction
        .insertInto('certificate_account')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
    })
  }

  async #reseal(): Promise<void> {
    const { sealer } = this.#options
    const isFormer = (sealed: string, place: string) =>
      sealer.open(sealed, place)?.isCurrent === false
    for (const row of await this.#rows()) {
      const key = isFormer(row.sealed_key, row.hostname) && this.#open(row.sealed_key, row.hostname)
      if (typeof key === 'string') await this.put(certificateOf(row, key))
    }
    const account = await this.#accountRow()
    if (account === undefined || !isFormer(account.sealed_key, accountPlace)) return
    const key = await this.accountKey()
    if (key !== undefined) await this.keepAccountKey(key)
  }

  async #rows(): Promise<readonly CertificateTable[]> {
    return await this.#options.database.queries
      .selectFrom('certificates')
      .selectAll()
      .orderBy('hostname')
      .execute()
  }

  async #accountRow() {
    return await this.#options.database.queries
      .selectFrom('certificate_account')
      .selectAll()
      .executeTakeFirst()
  }

  #open(sealed: string, place: string): string | undefined {
    const opened = this.#options.sealer.open(sealed, place)?.text
    if (opened === undefined)
      this.#options.onUnreadable(place, 'its key was encrypted with another secret')
    return opened
  }

  #rowOf({ hostname, chain, key, validFrom, validUntil }: StoredCertificate): CertificateTable {
    return {
      hostname,
      chain,
      sealed_key: this.#options.sealer.seal(key, hostname),
      valid_from: validFrom.getTime(),
      valid_until: validUntil.getTime(),
    }
  }
}

const certificateOf = (row: CertificateTable, key: string): StoredCertificate => ({
  hostname: row.hostname,
  chain: row.chain,
  key,
  validFrom: new Date(row.valid_from),
  validUntil: new Date(row.valid_until),
})
