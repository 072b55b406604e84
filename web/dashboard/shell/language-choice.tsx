import { chooseLanguage, currentLanguage, firstKnown, languageNames } from '../language/language.ts'
import { t } from '../language/text.ts'

/** Each language by its own name, so that it is found by who reads no other. */
export const LanguageChoice = () => (
  <select
    className="input language-choice"
    aria-label={t('Language')}
    value={currentLanguage()}
    onChange={({ target }) => chooseLanguage(firstKnown([target.value]) ?? 'en')}
  >
    {Object.entries(languageNames).map(([language, name]) => (
      <option key={language} value={language} lang={language}>
        {name}
      </option>
    ))}
  </select>
)
