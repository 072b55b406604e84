import { useState } from 'react'

import { useOperation } from '../api/queries.ts'
import { isImage, isPrivate, transformPath } from '../assets/asset.ts'
import { t } from '../language/text.ts'
import { Link } from '../router.tsx'
import type { NamedTransform } from './named-transforms.ts'
import { useNamedTransforms } from './use-named-transforms.ts'

/** So many newest assets are looked through for an image to show them with. */
const lookedAt = 50

/** What each named transform makes of an image of the zone. */
export function TransformSamples({ zone }: { readonly zone: string }) {
  const transforms = useNamedTransforms(zone)
  const assets = useOperation('listAssets', { project: zone, per_page: lookedAt })
  const image = assets.data?.Data.find((each) => isImage(each) && !isPrivate(each))
  if (transforms.length === 0 || image === undefined) return null
  return (
    <section className="card stack">
      <div>
        <h2>{t('What they make')}</h2>
        <p className="fine-print">{t('Of {path}, as saved', { path: image.path })}</p>
      </div>
      <ul className="transform-samples">
        {transforms.map((transform) => (
          <li key={transform.name}>
            <Sample transform={transform} path={image.path} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface SampleProps {
  readonly transform: NamedTransform
  readonly path: string
}

function Sample({ transform: { name, parameters, isOwn }, path }: SampleProps) {
  const [isRefused, setRefused] = useState(false)
  const text = new URLSearchParams(parameters).toString()
  return (
    <figure>
      <div>
        {isRefused ? (
          <p className="fine-print">{t('It cannot be made of this image.')}</p>
        ) : (
          <img
            // Another text is another image at the same URL.
            key={text}
            src={transformPath(path, { t: name })}
            alt=""
            loading="lazy"
            onError={() => setRefused(true)}
          />
        )}
      </div>
      <figcaption>
        <Link page="transform" search={{ asset: path, p: name }}>
          {name}
        </Link>
        <span className="fine-print">
          {isOwn ? text : t('{parameters}, of all zones', { parameters: text })}
        </span>
      </figcaption>
    </figure>
  )
}
