import { useId } from 'react'

import { t } from '../language/text.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { chooseTheme, type Theme, themes, useTheme } from '../theme.ts'

const faces: Readonly<Record<Theme, { readonly icon: IconName; readonly label: string }>> = {
  system: { icon: 'screen', label: t('As the system') },
  light: { icon: 'sun', label: t('Light') },
  dark: { icon: 'moon', label: t('Dark') },
}

export function ThemeSwitch() {
  const chosen = useTheme()
  const name = useId()
  return (
    <fieldset className="theme-switch">
      <legend className="hidden-text">{t('Colours')}</legend>
      {themes.map((theme) => (
        <label key={theme} title={faces[theme].label}>
          <input
            type="radio"
            name={name}
            checked={theme === chosen}
            onChange={() => chooseTheme(theme)}
          />
          <Icon name={faces[theme].icon} />
          <span className="hidden-text">{faces[theme].label}</span>
        </label>
      ))}
    </fieldset>
  )
}
