import { t } from '../../language/text.ts'
import { useImageBytes } from './use-image-bytes.ts'

interface CropSampleProps {
  readonly name: string
  readonly path: string
  /** Changes when the image at the same URL does. */
  readonly version: string
  readonly size: { readonly width: number; readonly height: number }
}

/** How a crop comes out, made anew when what it depends on changes. */
export function CropSample({ name, path, version, size }: CropSampleProps) {
  const image = useImageBytes(path, version)
  return (
    <figure className="crop-sample">
      {image.data ? (
        <img src={image.data.url} alt={t('{name} crop', { name })} {...size} />
      ) : (
        <span className="crop-waiting" style={{ aspectRatio: size.width / size.height }} />
      )}
      <figcaption className="fine-print">{name}</figcaption>
    </figure>
  )
}
