// Runs before and beside React, on hydrated and on still pages alike. No imports.

type Theme = 'light' | 'dark'
export type ThemeChoice = Theme | 'system'

/**
 * Forces the saved theme; without a saved choice the system decides. Uses nothing around it, so
 * that its text can be a script in the head that runs before the first paint:
 * `(${applySavedTheme.toString()})()`.
 */
export function applySavedTheme() {
  // Reading storage throws where the visitor has blocked it.
  try {
    const saved = localStorage.getItem('theme')
    if (saved === 'light' || saved === 'dark') document.documentElement.dataset.theme = saved
  } catch {}
}

/** The theme the page shows now, chosen or not. Browser only. */
function currentTheme(): Theme {
  const forced = document.documentElement.dataset.theme
  if (forced === 'light' || forced === 'dark') return forced
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Shows a theme and remembers it on this device; 'system' forgets the choice. Browser only. */
export function chooseTheme(theme: ThemeChoice) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  } catch {}
}

/** What this page was told to show. Browser only. */
export function chosenTheme(): ThemeChoice {
  const forced = document.documentElement.dataset.theme
  return forced === 'light' || forced === 'dark' ? forced : 'system'
}

/** Calls back after each choice, wherever on this page it was made; returns a function that ends it. */
export function onThemeChoice(listener: () => void) {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/**
 * Makes every `[data-theme-toggle]` on the page, now and later, flip the theme. Call it once per
 * document; returns a function that stops it.
 */
export function listenForThemeToggle() {
  document.addEventListener('click', flipTheme)
  return () => document.removeEventListener('click', flipTheme)
}

function flipTheme(event: MouseEvent) {
  if (event.target instanceof Element && event.target.closest('[data-theme-toggle]')) {
    chooseTheme(currentTheme() === 'dark' ? 'light' : 'dark')
  }
}
