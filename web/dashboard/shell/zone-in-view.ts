import type { PageName } from '../page-names.ts'
import { goTo } from '../router.tsx'
import { takesZone } from './zone-switcher.tsx'

/** The zone that the page is about, if it is about one. */
export function zoneInView(): string | undefined {
  const search = new URLSearchParams(location.search)
  const ofAsset = search.get('asset')?.split('/', 1)[0]
  return search.get('zone') ?? search.get('folder')?.split('/', 1)[0] ?? ofAsset
}

/** Goes to a page of the same zone, as its link in the navigation does. */
export function goToKept(name: PageName): void {
  const zone = zoneInView()
  if (takesZone(name) && zone !== undefined) goTo(name, { zone })
  else goTo(name)
}
