import { openCountryDatabase } from '../../adapters/mmdb/country-database.ts'
import type { Config } from '../../config/config.ts'
import { trustedProxies } from '../../http/request/client-address.ts'
import { type CountryOf, createCountryOf } from '../../http/request/request-country.ts'

/** The country of a request, as a trusted proxy says, else by the address. */
export async function openCountries(
  config: Pick<Config, 'trustedProxies' | 'countryHeader'>,
): Promise<CountryOf> {
  const countries = await openCountryDatabase()
  return createCountryOf({
    lookUp: (address) => countries.countryOf(address),
    proxies: trustedProxies(config.trustedProxies),
    header: config.countryHeader,
  })
}
