import { useState } from 'react'

import type { AssetMetadata } from '../assets/asset.ts'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import type { Recipe } from './recipe.ts'
import { transformUrlOf, imageSnippet, sourceSetSnippet } from './snippets.ts'

const makers = { address: transformUrlOf, img: imageSnippet, picture: sourceSetSnippet } as const
type Kind = keyof typeof makers

interface SnippetListProps {
  readonly asset: AssetMetadata
  readonly recipe: Recipe
  /** Of a named transform that says all of the recipe. */
  readonly name: string | undefined
  /** Whether the service makes it: nobody should copy what is refused. */
  readonly isMade: boolean
}

/** What to put into a page. */
export function SnippetList({ asset, recipe, name, isMade }: SnippetListProps) {
  const [kind, setKind] = useState<Kind>('address')
  const source = {
    origin: new URL(asset.TransformUrl).origin,
    path: asset.Path,
    recipe,
    width: asset.Width ?? undefined,
    height: asset.Height ?? undefined,
  }
  const text =
    kind === 'address' && name !== undefined
      ? transformUrlOf({ ...source, recipe: {} }, { t: name })
      : makers[kind](source)
  return (
    <section className="card stack">
      <div className="spread">
        <h2>{t('Use it')}</h2>
        <Segments
          label={t('Kind of snippet')}
          value={kind}
          options={[
            { value: 'address', label: t('URL') },
            { value: 'img', label: t('<img srcset>') },
            { value: 'picture', label: t('<picture>') },
          ]}
          onChange={setKind}
        />
      </div>
      {isMade ? (
        <>
          <pre className="code-block">{text}</pre>
          <div>
            <CopyButton text={text} />
          </div>
        </>
      ) : (
        <p className="fine-print">{t('There is nothing to copy while the recipe is refused.')}</p>
      )}
    </section>
  )
}
