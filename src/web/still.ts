// The only script of pages that are not hydrated. It is inline, so that the theme is there before the
// first paint, and named in the content security policy by its hash.
import { applySavedTheme, listenForThemeToggle } from '../ui/theme-script.ts'
import { listenForBackLinks } from './back-links.ts'
import { wantLettersSoon } from './letters-soon.ts'

wantLettersSoon()
applySavedTheme()
listenForThemeToggle()
listenForBackLinks()
