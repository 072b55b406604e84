import { type FoundBy, foundByTexts } from '../found-by.ts'

/** By what a search found it; all grounds for whoever points at it. Nothing of what was listed. */
export function FoundBadge({ foundBy }: { readonly foundBy: FoundBy | undefined }) {
  const texts = foundByTexts(foundBy)
  if (texts.length === 0) return null
  return (
    <span className="found-badge" title={texts.join(', ')}>
      {texts[0]}
    </span>
  )
}
