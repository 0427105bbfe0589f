import { de } from './de.ts';
import { en } from './en.ts';
import type { Texts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { nl } from './nl.ts';
import { findLanguageTag } from '../../domain/languages.ts';
import type { LanguageTag } from '../../domain/languages.ts';

const LANGUAGES: Readonly<Record<LanguageTag, Texts>> = { en, nl, de, fr, es };

export function getTexts(tag: string): Texts {
  return LANGUAGES[findLanguageTag(tag) ?? 'en'];
}
