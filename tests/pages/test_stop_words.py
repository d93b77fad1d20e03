"""Stop words by language."""

from __future__ import annotations

from focuslab.pages.text import stop_words, words

SENTENCES = {
    "en": "The weather is fine in most of the country today, and people are going to the beach.",
    "de": "Das Wetter ist heute in weiten Teilen des Landes schön, und die Leute gehen an den Strand.",
    "fr": "Le temps est beau aujourd'hui dans la plus grande partie du pays et les gens vont à la plage.",
    "es": "El tiempo es bueno hoy en la mayor parte del país y la gente va a la playa con sus hijos.",
    "ru": "Сегодня на большей части страны хорошая погода, и люди идут на пляж вместе с детьми."
    " Вечером ожидается дождь, сообщили синоптики в среду.",  # one is too little for CLD2
    "ja": "今日は全国的に天気がよく、海に行く人が多いでしょう。",
    "zh": "今天全国大部分地区天气晴朗，很多人带着孩子去海边玩。",
    "ko": "오늘은 전국적으로 날씨가 좋아서 많은 사람들이 바다에 갑니다.",
}


def test_stop_words() -> None:
    assert {"the", "of"} <= stop_words("en")
    assert "baseball" not in stop_words("en")
    assert "です" in stop_words("ja")
    assert "我们" in stop_words("zh")
    assert stop_words("tlh") == frozenset()
    for code in SENTENCES:
        assert all(words(word) == [word] or code in ("ja", "zh") for word in stop_words(code))
