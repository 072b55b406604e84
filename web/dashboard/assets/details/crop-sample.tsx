import { usePictureBytes } from './use-image-bytes.ts'

interface CropSampleProps {
  readonly name: string
  readonly path: string
  /** Changes when the picture at the same address does. */
  readonly version: string
  readonly size: { readonly width: number; readonly height: number }
}

/** How a crop comes out, made anew when what it depends on changes. */
export function CropSample({ name, path, version, size }: CropSampleProps) {
  const picture = usePictureBytes(path, version)
  return (
    <figure className="crop-sample">
      {picture.data ? (
        <img src={picture.data.url} alt={`${name} crop`} {...size} />
      ) : (
        <span className="crop-waiting" style={{ aspectRatio: size.width / size.height }} />
      )}
      <figcaption className="fine-print">{name}</figcaption>
    </figure>
  )
}
