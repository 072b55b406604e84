import { useState } from 'react'

import { t } from '../../language/text.ts'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { CheckField } from '../../parts/forms/field.tsx'
import { paletteKeys, ShortcutKeys } from './shortcut-keys.tsx'
import { areShortcutsOn, turnShortcuts } from './shortcut-setting.ts'
import { type Shortcut, shortcutGroups } from './shortcuts.ts'

/** Every shortcut there is, out of the table that they are heard by. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const [areOn, setOn] = useState(areShortcutsOn)
  return (
    <Dialog title={t('Keyboard shortcuts')} isOpen onClose={onClose}>
      <div className="stack">
        <CheckField
          label={t('Single keys work as shortcuts')}
          checked={areOn}
          onChange={({ target }) => {
            turnShortcuts(target.checked)
            setOn(target.checked)
          }}
        />
        <dl className="shortcut-list">
          <Row title={t('Search everything')} keys={paletteKeys()} />
        </dl>
        {shortcutGroups.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className="shortcut-list">
              {shortcuts.map((shortcut) => (
                <Row key={shortcut.keys} {...shortcut} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const Row = ({ title, keys }: Pick<Shortcut, 'title' | 'keys'>) => (
  <div>
    <dt>{title}</dt>
    <dd>
      <ShortcutKeys keys={keys} />
    </dd>
  </div>
)
