import { saveText } from '../parts/csv.ts'
import { readPagedCsv } from '../api/paged-csv.ts'
import type { Usage, UsageInput } from './chosen-usage.ts'

const zonesAPage = 1_000
/** No more is put in a file. */
const maxPages = 20

/** Saves every zone and day of a period, up to 400,000 lines. */
export async function saveUsage(
  { From, To }: Usage['Period'],
  { zone }: Pick<UsageInput, 'zone'>,
): Promise<void> {
  const query = new URLSearchParams({ from: From, to: To, format: 'csv' })
  query.set('per_page', String(zonesAPage))
  if (zone !== undefined) query.set('zone', zone)
  const text = await readPagedCsv({ url: `/api/usage?${query}`, maxPages })
  saveText(`usage-${From}-${To}.csv`, text, 'text/csv')
}
