import { offerAsking } from './docs/ask/ask-box.ts'
import { offerCopies } from './docs/copy-buttons.ts'
import { followOutline } from './docs/outline.ts'
import { searchAsTyped } from './docs/search-box.ts'
import { showTabs } from './docs/tabs.ts'
import { offerThemes } from './docs/theme-button.ts'

showTabs()
offerCopies()
searchAsTyped()
followOutline()
offerThemes()
offerAsking()
