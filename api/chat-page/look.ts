import { acceptedLanguages, chooseLanguage, getTexts } from '../../web/texts/languages.ts';
import { OWN_COLOUR, buildPalette } from '../../web/colours.ts';
import { brandingOf } from '../../web/look.ts';
import type { HandlerResult, OpenRequest } from '../request.ts';
import { findOfferedWidget } from './offered-widget.ts';

const MAX_AGE_SECONDS = 300;

/** GET /c/{organization}/look: what the widget's button needs (spec 13.1). */
export async function showLook(request: OpenRequest): Promise<HandlerResult> {
  const { title, palette = buildPalette(OWN_COLOUR) } = brandingOf(await findOfferedWidget(request));
  const { querystring, client } = request;
  const asked = new URLSearchParams(querystring).get('language') ?? '';
  const language = chooseLanguage([asked, ...acceptedLanguages(client.languages)]);
  return {
    status: 200,
    headers: {
      'Cache-Control': `private, max-age=${MAX_AGE_SECONDS}`,
      Vary: 'Origin, Accept-Language',
    },
    body: { title, language, palette, texts: getTexts(language).widget },
  };
}
