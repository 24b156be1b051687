// Runs before and beside React, on hydrated and on still pages alike. No imports.

type Theme = 'light' | 'dark'

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

/** Shows a theme and remembers it on this device. Browser only. */
function chooseTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem('theme', theme)
  } catch {}
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
