import { useState } from 'react'

import { type AssetMetadata, transformPath } from '../assets/asset.ts'
import { useImageBytes } from '../assets/details/use-image-bytes.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { humanBytes } from '../parts/format.ts'
import { Saving } from './comparison.tsx'
import { formats, isSound, type Recipe } from './recipe.ts'

interface FormatTableProps {
  readonly asset: AssetMetadata
  readonly recipe: Recipe
}

/** The same image in every format. Made when asked for, since each is an encoding. */
export function FormatTable(props: FormatTableProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="card">
      <div className="spread">
        <h2>{t('Formats')}</h2>
        {!isOpen && <Button onClick={() => setOpen(true)}>{t('Compare formats')}</Button>}
      </div>
      {isOpen && isSound(props.recipe) && (
        <table className="formats">
          <thead>
            <tr>
              <th scope="col">{t('Format')}</th>
              <th scope="col">{t('Size')}</th>
              <th scope="col">{t('Against the original')}</th>
            </tr>
          </thead>
          <tbody>
            {formats.map((format) => (
              <FormatRow key={format} format={format} {...props} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function FormatRow({ asset, recipe, format }: FormatTableProps & { readonly format: string }) {
  const made = useImageBytes(
    transformPath(asset.Path, { ...recipe, format, ...(format === 'png' && { q: undefined }) }),
  )
  return (
    <tr>
      <th scope="row">{format.toUpperCase()}</th>
      <td>
        {made.data ? humanBytes(made.data.sizeBytes) : made.isError ? t('not possible') : '…'}
      </td>
      <td>{made.data && <Saving before={asset.Size} after={made.data.sizeBytes} />}</td>
    </tr>
  )
}
