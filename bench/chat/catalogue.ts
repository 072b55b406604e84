/** The files that questions are asked about. Of equal zones no two files have one size. */
export interface StoredFile {
  readonly path: string
  readonly content: string
}

const paths = [
  'trailhead/v1/icons/settings-cog.svg',
  'trailhead/v1/icons/trash.svg',
  'trailhead/v1/icons/compass.svg',
  'trailhead/v1/icons/tent.svg',
  'trailhead/v1/icons/arrow-left.svg',
  'trailhead/v1/icons/arrow-right.svg',
  'trailhead/v1/icons/arrow-up.svg',
  'trailhead/v1/icons/map-pin.svg',
  'trailhead/v1/logos/trailhead-logo.svg',
  'trailhead/v1/logos/trailhead-logo.png',
  'trailhead/v1/logos/trailhead-logo-dark.png',
  'trailhead/v1/banners/summer-sale.jpg',
  'trailhead/v1/banners/winter-camp.jpg',
  'trailhead/v1/banners/spring-hike.webp',
  'trailhead/v1/titles/about-us.png',
  'trailhead/v1/private/contract.pdf',
  'harbor/v1/icons/anchor.svg',
  'harbor/v1/icons/lighthouse.svg',
  'harbor/v1/icons/ship.svg',
  'harbor/v1/icons/arrow-down.svg',
  'harbor/v1/logos/harbor-logo.svg',
  'harbor/v1/banners/regatta.jpg',
  'harbor/v1/papers/tide-table.pdf',
  'harbor/v1/videos/launch.mp4',
  'closed/v1/icons/key.svg',
  'closed/v1/icons/door.svg',
]

/** `closed` is suspended: nobody may learn what is in it. */
export const suspendedZone = 'closed'

export const files: readonly StoredFile[] = paths.map((path, place) => ({
  path,
  content: path.endsWith('.svg')
    ? `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><desc>${'x'.repeat(place * 7)}</desc></svg>`
    : 'x'.repeat(100 + place * 13),
}))

export const publicFiles: readonly StoredFile[] = files.filter(
  ({ path }) => !path.startsWith(`${suspendedZone}/`) && !path.includes('/private/'),
)
