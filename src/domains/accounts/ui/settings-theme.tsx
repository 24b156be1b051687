import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Radio } from '../../../ui/radio.tsx'
import {
  chooseTheme,
  chosenTheme,
  onThemeChoice,
  type ThemeChoice,
} from '../../../ui/theme-script.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'

type Choice = { value: ThemeChoice; label: string; hint: string; icon: LucideIcon }

const choices: Choice[] = [
  { value: 'light', label: 'Light', hint: 'Dark on light, always.', icon: Sun },
  { value: 'dark', label: 'Dark', hint: 'Light on dark, always.', icon: Moon },
  { value: 'system', label: 'System', hint: 'As this device is set.', icon: Monitor },
]

/** Light, dark, or what the device says; the same choice as the switch in the header. */
export function ThemeTab() {
  const hydrated = useHydrated()
  const chosen = useSyncExternalStore(onThemeChoice, chosenTheme, () => 'system' as const)

  return (
    <Card>
      <CardHeader
        title="Color Theme"
        description="Applies at once, and is remembered on this device."
      />
      <noscript>
        <p className="mb-5 text-muted">Choosing a theme needs JavaScript; this device decides.</p>
      </noscript>
      <fieldset inert={!hydrated} className="min-w-0">
        <legend className="sr-only">Color Theme</legend>
        <div className="grid gap-3 sm:grid-cols-3">
          {choices.map(({ value, label, hint, icon: Icon }) => (
            <label
              key={value}
              className={
                'grid cursor-pointer grid-cols-[auto_1fr] items-center gap-x-3 gap-y-0.5 rounded-card ' +
                'border border-edge/50 p-4 hover:border-edge has-checked:border-primary ' +
                'has-checked:bg-primary-soft has-focus-visible:outline-2 ' +
                'has-focus-visible:outline-offset-2 has-focus-visible:outline-primary'
              }
            >
              <Radio
                name="theme"
                value={value}
                checked={value === chosen}
                onChange={() => chooseTheme(value)}
                aria-labelledby={`theme-${value}`}
                aria-describedby={`theme-${value}-hint`}
              />
              <span id={`theme-${value}`} className="flex items-center gap-2 font-semibold">
                <Icon size={18} aria-hidden />
                {label}
              </span>
              <span id={`theme-${value}-hint`} className="col-start-2 text-sm text-muted">
                {hint}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </Card>
  )
}
