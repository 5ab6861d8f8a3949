import { signal } from '@preact/signals'

/** `system` follows the browser. */
export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']
const key = 'pilothouse-console-theme'

export const theme = signal<Theme>(kept())
show(theme.value)

/** Chooses the colours of the page, and keeps the choice. */
export function chooseTheme(wanted: string): void {
  theme.value = themes.find((each) => each === wanted) ?? 'system'
  show(theme.value)
  try {
    if (theme.value === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme.value)
  } catch {
    // The browser keeps nothing: the choice is for this page.
  }
}

function kept(): Theme {
  try {
    return themes.find((each) => each === localStorage.getItem(key)) ?? 'system'
  } catch {
    return 'system'
  }
}

function show(wanted: Theme): void {
  document.documentElement.dataset['theme'] = wanted
}
