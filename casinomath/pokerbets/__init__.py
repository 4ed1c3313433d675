"""Bets that several poker games have: one file per bet, its Rules and the verbs evaluate and simulate.

A game names those it has among its SIDE_BETS, each bound to the cards that the game deals.
"""
