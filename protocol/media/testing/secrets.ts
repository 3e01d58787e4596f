/** What the built files tell of their place, device and time, in the forms in which they tell it. */
/** Texts that no stripped file may have. Each is in at least one of the built files. */
export const SECRETS = [
  ...['MakerOfPhone', 'ModelOfPhone', 'FirmwareOfPhone', 'SerialOfPhone', 'LensOfPhone'],
  ...['2024:05:17', '2024-05-17', '+48.8577', '48,51.4', 'PlaceOfPhoto', 'NoteOfMaker'],
] as const;

/** Seconds since 1904: 2024-05-17, as films count. */
export const FILM_TIME = 3_798_878_400;

/** A packet of XMP. `more` are further attributes of its description. */
export function xmpOf(more = ''): string {
  return [
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""',
    ' xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"',
    ' xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"',
    ' exif:GPSLatitude="48,51.462N" exif:GPSLongitude="2,17.7E" tiff:Make="MakerOfPhone"',
    ' tiff:Model="ModelOfPhone" xmp:CreateDate="2024-05-17T10:11:12+02:00" photoshop:City="PlaceOfPhoto"',
    `${more}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  ].join('');
}
