// Settings tab `fonts`: fonts that are offered.
import { multiselect, section, text } from '../kinds.ts'
import type { SettingsTab } from '../setting.ts'

export const fonts: SettingsTab = {
  tab: 'fonts',
  sections: [
    section('fonts', 'Fonts for the typeface dropdown', [
      text('svc_common_fonts', 'System Fonts').says(
        "Names of fonts that customers' systems bring along, separated by commas. While none were ever stored, Arial, Helvetica, Times New Roman, Verdana and Geneva are offered; a lone comma offers none.",
      ),
      multiselect('svc_google_webfonts', 'Google Webfonts').says('Fonts of Google Fonts that are offered.'),
      multiselect('svc_fonts_directory', 'Uploaded Fonts').says(
        'File names of the uploaded fonts that are offered.',
      ),
    ]),
  ],
}
