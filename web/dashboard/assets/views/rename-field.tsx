import { useState } from 'react'

import { client, messageOf } from '../../api/client.ts'
import { t } from '../../language/text.ts'
import { CheckField } from '../../parts/forms/field.tsx'
import { nameOf } from '../place.ts'
import { useDone } from '../selection/use-bulk.ts'

interface RenameFieldProps {
  readonly path: string
  readonly onEnd: () => void
}

/** The name of an asset as a field, in its place. Enter renames it, Escape leaves it as it was. */
export function RenameField({ path, onEnd }: RenameFieldProps) {
  const before = nameOf(path)
  const [name, setName] = useState(before)
  const [redirect, setRedirect] = useState(false)
  const [fault, setFault] = useState<string>()
  const done = useDone()
  const rename = async () => {
    const to = name.trim()
    if (to === before || to === '') return onEnd()
    if (to.includes('/')) return setFault(t('A name has no slash; move it instead.'))
    try {
      const directory = path.slice(0, path.length - before.length)
      const body = { From: path, To: directory + to, ...(redirect && { Redirect: true }) }
      const { Commit } = await client.moveFiles({ body })
      onEnd()
      await done(t('{before} is now {to}.', { before, to }), Commit, path.split('/')[0])
    } catch (error) {
      setFault(messageOf(error))
    }
  }
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault()
        void rename()
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') onEnd()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onEnd()
      }}
    >
      <input
        type="text"
        className="input"
        aria-label={t('New name of {before}', { before })}
        aria-invalid={fault !== undefined || undefined}
        value={name}
        ref={(field) => selectStem(field)}
        onChange={(event) => setName(event.target.value)}
      />
      {fault === undefined ? (
        <span className="rename-redirect">
          <CheckField
            label={t('Redirect the old URL')}
            checked={redirect}
            onChange={(event) => setRedirect(event.target.checked)}
          />
        </span>
      ) : (
        <span className="field-fault" role="alert">
          {fault}
        </span>
      )}
    </form>
  )
}

/** Nobody renames the extension. */
function selectStem(field: HTMLInputElement | null): void {
  if (field === null || field.dataset['begun'] === 'true') return
  field.dataset['begun'] = 'true'
  field.focus()
  const dot = field.value.lastIndexOf('.')
  field.setSelectionRange(0, dot <= 0 ? field.value.length : dot)
}
