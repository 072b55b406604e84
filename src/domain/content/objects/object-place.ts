import { type AssetPath, clientsDirectory, placeholderName, repositoryPath } from '../asset-path.ts'

/** Where an object is. A marker stands for a directory, and is no asset. */
export type ObjectPlace = { readonly kind: 'asset'; readonly path: AssetPath } | MarkerPlace

export interface MarkerPlace {
  readonly kind: 'marker'
  /** `<zone>/v1/…`, without a slash at its end. */
  readonly directory: string
}

/** Its path in the repository. */
export const placeInRepository = (place: ObjectPlace): string =>
  place.kind === 'asset'
    ? repositoryPath(place.path)
    : `${clientsDirectory}/${placeholderOf(place)}`

/** No asset, but what is said of it is kept as of one. */
export const placeholderOf = ({ directory }: MarkerPlace): AssetPath =>
  `${directory}/${placeholderName}` as AssetPath

export const zoneOfPlace = (place: ObjectPlace): string =>
  (place.kind === 'asset' ? place.path : place.directory).split('/', 1)[0] ?? ''

/** As versions of objects name it; of a marker with a slash at its end. */
export const pathOfPlace = (place: ObjectPlace): string =>
  place.kind === 'asset' ? place.path : `${place.directory}/`
