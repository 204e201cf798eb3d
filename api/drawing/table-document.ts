/** Text and tables as PDF. Fonts have a fixed width, so text wraps by character count. */
import { fileURLToPath } from 'node:url';

/** A4, landscape. Lengths are in points. */
const page = { width: 842, height: 595, margin: 36 };
const bottom = page.height - page.margin;
const sizes = { cell: 6, text: 9, title: 16 };
const lineHeight = 1.3;
/** Character width divided by font size, of both Courier and DejaVu Sans Mono. */
const characterWidth = 0.602;
const gap = 6;
/** Text that needs no embedded font. */
const asciiOnly = /^[\x20-\x7e]*$/;
const unicodeFont = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'));

export interface Column {
  readonly title: string;
  /** Characters per line; longer text wraps. */
  readonly width: number;
  readonly isRight?: boolean;
}

export class TableDocument {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #footer: string;
  #columns: readonly Column[] = [];
  #pages = 0;
  #y = 0;

  private constructor(pdf: PDFKit.PDFDocument, title: string, footer: string) {
    this.#pdf = pdf;
    this.#footer = footer;
    this.#pdf.registerFont('unicode', unicodeFont);
    this.#addPage();
    this.#write(title, page.margin, sizes.title);
    this.#y += sizes.title * 2;
  }

  /** @param footer text at the end of each page, before its number @param created date of the file */
  static async create(title: string, footer: string, created: Date): Promise<TableDocument> {
    const { default: PDFDocument } = await import('pdfkit'); // loading takes 120 ms, and few processes need it
    const info = { Title: title, Creator: 'Cordscan', CreationDate: created };
    const options = { size: [page.width, page.height], margin: 0, autoFirstPage: false, info };
    return new TableDocument(new PDFDocument(options), title, footer);
  }

  addText(text: string): void {
    const perLine = Math.floor((page.width - 2 * page.margin) / (sizes.text * characterWidth));
    for (const line of wrap(text, perLine)) {
      this.#reserve(sizes.text * lineHeight);
      this.#write(line, page.margin, sizes.text);
      this.#y += sizes.text * lineHeight;
    }
  }

  /** Begins a table. Each page repeats its column titles. @throws RangeError if the columns are wider than the page */
  addTable(title: string, columns: readonly Column[]): void {
    const characters = columns.reduce((sum, { width }) => sum + width, 0);
    const width = characters * sizes.cell * characterWidth + (columns.length - 1) * gap;
    if (width > page.width - 2 * page.margin) throw new RangeError(`the table ${title} is wider than its page`);
    this.#columns = [];
    this.#y += sizes.text;
    this.#reserve(sizes.text * 5);
    this.addText(title);
    this.#y += sizes.text / 2;
    this.#columns = columns;
    this.#addTitles();
  }

  addRow(cells: readonly string[]): void {
    const lines = this.#columns.map(({ width }, i) => wrap(cells[i] ?? '', width));
    const height = Math.max(...lines.map(({ length }) => length)) * sizes.cell * lineHeight;
    if (this.#reserve(height)) this.#addTitles();
    let x = page.margin;
    for (const [i, { width, isRight }] of this.#columns.entries()) {
      for (const [at, line] of (lines[i] ?? []).entries()) {
        const indent = isRight ? (width - [...line].length) * sizes.cell * characterWidth : 0;
        this.#write(line, x + indent, sizes.cell, this.#y + at * sizes.cell * lineHeight);
      }
      x += width * sizes.cell * characterWidth + gap;
    }
    this.#y += height;
  }

  /** Returns the bytes since the last call. */
  read(): Buffer | undefined {
    return (this.#pdf.read() as Buffer | null) ?? undefined;
  }

  /** Completes the file. @returns the unread bytes */
  async *end(): AsyncGenerator<Buffer> {
    this.#pdf.end();
    for await (const chunk of this.#pdf as unknown as AsyncIterable<Buffer>) yield chunk;
  }

  /** Begins a new page if less than `height` is free. @returns true if a page was begun */
  #reserve(height: number): boolean {
    if (this.#y + height <= bottom - sizes.text * 2) return false;
    this.#addPage();
    return true;
  }

  #addTitles(): void {
    this.addRow(this.#columns.map(({ title }) => title));
    this.#pdf
      .moveTo(page.margin, this.#y)
      .lineTo(page.width - page.margin, this.#y)
      .lineWidth(0.5)
      .stroke('#999999');
    this.#y += 2;
  }

  #addPage(): void {
    this.#pages += 1;
    this.#pdf.addPage();
    this.#write(`${this.#footer}, page ${this.#pages}`, page.margin, sizes.cell, bottom - sizes.cell);
    this.#y = page.margin;
  }

  #write(text: string, x: number, size: number, y = this.#y): void {
    if (text === '') return;
    this.#pdf.font(asciiOnly.test(text) ? 'Courier' : 'unicode', size).fillColor('#000000');
    this.#pdf.text(text, x, y, { lineBreak: false });
  }
}

/** Breaks lines at any character: addresses and amounts have no spaces. Removes control characters. */
function wrap(text: string, width: number): string[] {
  const characters = [...text.replace(/\p{C}/gu, '')];
  const lines: string[] = [];
  for (let at = 0; at < characters.length || at === 0; at += width)
    lines.push(characters.slice(at, at + width).join(''));
  return lines;
}
