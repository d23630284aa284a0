import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const key = 'orch-theme';
const changed = 'orch-theme-changed';

function chosen(): Theme {
  return themes.find((theme) => theme === readItem()) ?? 'auto';
}

/** Some browsers throw here because they forbid storage to pages opened from files. */
function readItem(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function applyTheme(theme: Theme = chosen()): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

function choose(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // then the choice lasts until the page is closed
  }
  applyTheme(theme);
  dispatchEvent(new Event(changed));
}

const scheme = matchMedia('(prefers-color-scheme: dark)');
const isDark = (): boolean => {
  const theme = document.documentElement.dataset['theme'] ?? 'auto';
  return theme === 'dark' || (theme === 'auto' && scheme.matches);
};

/** The active theme: views that draw with resolved colours redraw when it changes. */
export function useTheme(): 'light' | 'dark' {
  const [dark, setDark] = useState(isDark);
  useEffect(() => {
    const look = (): void => setDark(isDark());
    addEventListener(changed, look);
    scheme.addEventListener('change', look);
    return () => {
      removeEventListener(changed, look);
      scheme.removeEventListener('change', look);
    };
  }, []);
  return dark ? 'dark' : 'light';
}

export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(chosen);
  return (
    <div class="themes" role="group" aria-label="Colours">
      {themes.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === theme}
          onClick={() => {
            choose(each);
            setTheme(each);
          }}
        >
          {each}
        </button>
      ))}
    </div>
  );
}
