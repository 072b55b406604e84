import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import type { PageName } from '../page-names.ts'
import { parametersByPage } from '../page-parameters.ts'
import { goTo, useSearch } from '../router.tsx'

interface ZoneSwitcherProps {
  readonly current: PageName | undefined
  readonly onSwitch?: (() => void) | undefined
}

const pagesOfOne: ReadonlySet<PageName> = new Set(['zone', 'history', 'previews', 'compare'])

/** Shows another zone on the page one is on, or all where the page can. */
export function ZoneSwitcher({ current = 'overview', onSwitch }: ZoneSwitcherProps) {
  const zones = useOperation('listZones', {})
  const [{ zone = '', tab }] = useSearch()
  const names = zones.data?.map(({ Name }) => Name) ?? []
  if (names.length === 0) return null
  const show = (name: string) => {
    if (name === '') goTo(pagesOfOne.has(current) ? 'zones' : current)
    else if (current === 'zone') goTo('zone', { zone: name, tab })
    else if (takesZone(current)) goTo(current, { zone: name })
    else goTo('zone', { zone: name })
    onSwitch?.()
  }
  return (
    <select
      className="input zone-switcher"
      aria-label={t('Scope')}
      value={names.includes(zone) ? zone : ''}
      onChange={({ target }) => show(target.value)}
    >
      <option value="">{t('All zones')}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

type PageOfZone = {
  [Page in PageName]: 'zone' extends (typeof parametersByPage)[Page][number] ? Page : never
}[PageName]

/** Whether a page shows one zone where its address says so. */
export const takesZone = (page: PageName): page is PageOfZone =>
  parametersByPage[page].some((name) => name === 'zone')
