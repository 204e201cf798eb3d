/** Parses NFT metadata. @source ERC-721 and ERC-1155 metadata JSON schema, OpenSea metadata standards (attributes) */
import { z } from 'zod';
import { cleanText } from '#chain/codec/token-abi.ts';

export interface NftMetadata {
  readonly name: string;
  readonly description: string;
  readonly traits: readonly (readonly [name: string, value: string])[];
  /** Empty if the NFT has no picture. */
  readonly pictureUri: string;
}

const maxName = 200;
const maxDescription = 4_000;
const maxTraits = 100;
const maxTraitText = 200;

const Scalar = z.union([z.string(), z.number(), z.boolean()]);
const Trait = z.object({ trait_type: Scalar.optional(), value: Scalar });
const Document = z.object({
  name: Scalar.optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  image: z.string().optional().catch(undefined),
  image_url: z.string().optional().catch(undefined),
  image_data: z.string().optional().catch(undefined),
  attributes: z.array(z.unknown()).optional().catch(undefined),
});

/** @throws SyntaxError if the text is not a JSON object */
export function parseMetadata(content: Buffer): NftMetadata {
  const parsed = Document.safeParse(JSON.parse(content.toString('utf8')));
  if (!parsed.success) throw new SyntaxError('the metadata is not a JSON object');
  const { name, description, image, image_url, image_data, attributes = [] } = parsed.data;
  const traits = attributes.slice(0, maxTraits).flatMap((each) => {
    const { success, data } = Trait.safeParse(each);
    return success
      ? [[short(String(data.trait_type ?? ''), maxTraitText), short(String(data.value), maxTraitText)] as const]
      : [];
  });
  const drawn =
    image_data === undefined ? '' : `data:image/svg+xml;base64,${Buffer.from(image_data).toString('base64')}`;
  return {
    name: short(String(name ?? ''), maxName),
    description: short(description ?? '', maxDescription),
    traits,
    pictureUri: image || image_url || drawn,
  };
}

const short = (text: string, limit: number): string => [...cleanText(text)].slice(0, limit).join('');
