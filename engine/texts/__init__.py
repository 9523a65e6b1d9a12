"""The texts of projects: templates that users write, in Liquid.

project_texts: checks what is saved, renders for each recipient ──► liquid_rules, liquid_filters: Liquid with limits
bodies: renders a message's text again, from what was stored with it
"""
